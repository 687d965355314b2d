"""Certificates for tests, made by openssl when they are needed."""
import os
import subprocess


def openssl(*args, folder):
    subprocess.run(['openssl', *args], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def make_authority(folder, name):
    """NAME.crt and NAME.key in the folder: an authority that signs itself."""
    openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
            '-keyout', name + '.key', '-out', name + '.crt', '-subj', '/CN=' + name,
            '-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign', folder=folder)


def make_certificate(folder, name, authority, common_name, dns_names=(), days=2):
    """NAME.crt and NAME.key, signed by the authority of that name in the folder; an expired one with negative days."""
    openssl('req', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', name + '.key',
            '-out', name + '.csr', '-subj', '/CN=' + common_name, folder=folder)
    lines = ['basicConstraints=CA:FALSE', 'extendedKeyUsage=clientAuth,serverAuth']
    if dns_names:
        lines.append('subjectAltName=' + ','.join(f'DNS:{one}' for one in dns_names))
    with open(os.path.join(folder, name + '.ext'), 'w') as file:
        file.write('\n'.join(lines) + '\n')
    openssl('x509', '-req', '-in', name + '.csr', '-CA', authority + '.crt', '-CAkey', authority + '.key', '-CAcreateserial',
            '-days', str(days), '-extfile', name + '.ext', '-out', name + '.crt', folder=folder)
