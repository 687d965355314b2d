"""The server's side of SPDY/3.1, as kubelets speak it with kubectl and kube-apiserver."""
import struct
import threading
import zlib

# What both sides' zlib begins with (the draft of SPDY/3, 2.6.10.1).
WORDS = '''options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow
authorization cache-control connection content-base content-encoding content-language content-length content-location content-md5
content-range content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since
last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer
transfer-encoding upgrade user-agent vary via warning www-authenticate method get status'''.split() + [
    '200 OK', 'version', 'HTTP/1.1', 'url', 'public', 'set-cookie', 'keep-alive', 'origin']
DICTIONARY = b''.join(struct.pack('>I', len(word)) + word.encode() for word in WORDS) + (
    b'100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritative Information'
    b'204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error'
    b'501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, '
    b'Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,'
    b'publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.')

SYN_STREAM, SYN_REPLY, RST_STREAM, PING = 1, 2, 3, 6
FIN = 1


class Stream:
    def __init__(self, connection, number, headers):
        self.connection = connection
        self.number = number
        self.headers = headers
        self.data = b''
        self.ended = False  # by the other side

    def read(self):
        """What has come since the last time; empty at the end."""
        with self.connection.changed:
            self.connection.changed.wait_for(lambda: self.data or self.ended or self.connection.closed)
            data, self.data = self.data, b''
            return data

    def write(self, data, end=False):
        for at in range(0, max(len(data), 1), 1 << 20):
            part = data[at:at + (1 << 20)]
            last = end and at + len(part) >= len(data)
            self.connection.send(struct.pack('>I', self.number) + struct.pack('>I', (FIN if last else 0) << 24 | len(part)) + part)

    def close(self):
        self.write(b'', end=True)


class Connection:
    """Reads on a thread of its own; streams that the other side opens are accepted."""

    def __init__(self, connection):
        self.connection = connection
        self.changed = threading.Condition()
        self.sending = threading.Lock()
        self.streams = {}
        self.closed = False
        self.inflate = zlib.decompressobj(zdict=DICTIONARY)
        self.deflate = zlib.compressobj(zdict=DICTIONARY)
        threading.Thread(target=self.run, daemon=True).start()

    def send(self, frame):
        with self.sending:
            self.connection.sendall(frame)

    def send_control(self, kind, payload):
        self.send(struct.pack('>HHI', 0x8003, kind, len(payload)) + payload)

    def exactly(self, size):
        data = b''
        while len(data) < size:
            part = self.connection.recv(size - len(data))
            if not part:
                raise ConnectionError('closed')
            data += part
        return data

    def run(self):
        try:
            while True:
                head = self.exactly(8)
                flags, size = head[4], int.from_bytes(head[5:8], 'big')
                self.take(head, flags, self.exactly(size))
        except OSError:
            with self.changed:
                self.closed = True
                self.changed.notify_all()

    def take(self, head, flags, payload):
        with self.changed:
            if not head[0] & 0x80:
                stream = self.streams[int.from_bytes(head[:4], 'big')]
                stream.data += payload
                stream.ended = stream.ended or bool(flags & FIN)
            elif head[2:4] == bytes([0, SYN_STREAM]):
                number = int.from_bytes(payload[:4], 'big')
                self.streams[number] = Stream(self, number, self.read_headers(payload[10:]))
                count = self.deflate.compress(struct.pack('>I', 0)) + self.deflate.flush(zlib.Z_SYNC_FLUSH)
                self.send_control(SYN_REPLY, payload[:4] + count)
            elif head[2:4] == bytes([0, RST_STREAM]):
                stream = self.streams.get(int.from_bytes(payload[:4], 'big'))
                if stream:
                    stream.ended = True
            elif head[2:4] == bytes([0, PING]) and int.from_bytes(payload, 'big') % 2:
                self.send_control(PING, payload)
            self.changed.notify_all()

    def read_headers(self, block):
        text = self.inflate.decompress(block)
        out, at = {}, 4
        for _ in range(int.from_bytes(text[:4], 'big')):
            pair = []
            for _ in range(2):
                size = int.from_bytes(text[at:at + 4], 'big')
                pair.append(text[at + 4:at + 4 + size].decode())
                at += 4 + size
            out[pair[0]] = pair[1]
        return out

    def wait_for_streams(self, kinds):
        """The streams of these types, by type."""
        def by_type():
            return {stream.headers['streamtype']: stream for stream in self.streams.values()}
        with self.changed:
            self.changed.wait_for(lambda: set(kinds) <= set(by_type()) or self.closed)
            return by_type()
