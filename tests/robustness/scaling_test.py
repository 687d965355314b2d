"""Nothing takes more than its input is long: runs scaling_probe under callgrind, which counts instructions, and fails where work grows
faster than linearly as one element of the input stands n, 2n and 4n times.

    scaling_test.py PROBE [--quick] [--n N] [--match TEXT] [--jobs N] [--top N] [--keep DIR]

What is judged is growth: the instructions that the step from 2n to 4n adds, over those that the step from n to 2n adds. What a case
costs at any size drops out; linear work gives 2, n log n a little more, quadratic work 4."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# Quadratic work with a small constant hides behind linear work: at this growth a tenth of the work at 4n is quadratic.
LIMIT = 2.5
# Where twice the input adds less than this part, the work is mostly what is done at any size, and the rest is lost in the noise of threads
# and allocators.
LEAST_ADDED = 0.6
# What is known to grow faster, and why that is so. Reported, and no failure.
KNOWN = {
    'build: operations of a JSON patch': 'each operation looks for its member among all that the map has by then',
    'build: labels': 'each label is looked for among all that the map has by then',
    'build: replacement targets': 'each target looks for its member among all that the map has by then',
}
KNOWN.update((f'fmt --diff: {what}', 'the shortest difference of texts that differ in every line takes that long')
             for what in ('aliases', 'comments', 'documents', 'items', 'keys'))


def run_shard(probe, options, folder, shard, shards):
    out = os.path.join(folder, f'shard{shard}')
    os.makedirs(out)
    command = ['valgrind', '--tool=callgrind', '-q', '--error-exitcode=0', f'--callgrind-out-file={out}/out', '--dump-line=no',
               '--fair-sched=yes', probe, f'--n={options.n}', f'--shard={shard}/{shards}', f'--match={options.match}']
    if options.quick:
        command.append('--quick')
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True), out


def read_counts(folder, counts):
    """Each dump says which case and size it belongs to, and its total."""
    for name in os.listdir(folder):
        label = total = None
        with open(os.path.join(folder, name), errors='replace') as file:
            text = file.read()
        for line in text.splitlines():
            if line.startswith('desc: Trigger: Client Request: '):
                label = line[len('desc: Trigger: Client Request: '):]
            elif line.startswith('totals: '):
                total = int(line.split()[1])
        if label is None or total is None or '\t' not in label:
            continue
        n, case = label.split('\t', 1)
        at = counts.setdefault(case, {})
        at[int(n)] = min(total, at.get(int(n), total))


def judge(counts, n):
    rows = []
    for case, at in counts.items():
        if sorted(at) != [n, 2 * n, 4 * n]:
            rows.append((float('inf'), case, at, 'not measured at every size'))
            continue
        first, second = at[2 * n] - at[n], at[4 * n] - at[2 * n]
        if second < LEAST_ADDED * at[2 * n]:
            rows.append((0.0, case, at, ''))
            continue
        growth = second / max(first, 1)
        why = 'grows faster than its input' if growth > LIMIT and case not in KNOWN else ''
        rows.append((growth, case, at, why))
    return sorted(rows, reverse=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('probe')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--n', type=int, default=100)
    parser.add_argument('--match', default='')
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--top', type=int, default=5)
    parser.add_argument('--keep')
    options = parser.parse_args()
    if shutil.which('valgrind') is None:
        print('skipped: valgrind is not installed, so that instructions cannot be counted (tools/packages.txt)')
        return SKIPPED
    if not os.path.exists('/usr/include/valgrind/callgrind.h') and not os.environ.get('CPATH'):
        print('skipped: the probe was built without valgrind/callgrind.h')
        return SKIPPED
    folder = options.keep or tempfile.mkdtemp(prefix='strake-scaling-')
    try:
        running = [run_shard(options.probe, options, folder, shard, options.jobs) for shard in range(options.jobs)]
        counts, cases, failed = {}, 0, False
        for process, out in running:
            errors = process.communicate()[1]
            told = re.search(r'^(\d+) cases$', errors, re.M)
            cases = max(cases, int(told.group(1)) if told else 0)
            if process.returncode != 0 or told is None:
                print(f'the probe ended with {process.returncode}:\n{errors[-4000:]}')
                failed = True
            read_counts(out, counts)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    rows = judge(counts, options.n)
    wrong = [row for row in rows if row[3]]
    for growth, case, at, why in wrong or rows[:options.top]:
        sizes = '  '.join(f'{size}: {at[size]:,}' for size in sorted(at))
        print(f'{growth:6.2f}  {case}  ({sizes}){": " + why if why else ""}')
    print(f'{len(counts)} of {cases} cases measured, {len(wrong)} grow faster than their input')
    if len(counts) != cases or cases == 0:
        print('not every case was measured')
        failed = True
    return 1 if wrong or failed else 0


if __name__ == '__main__':
    sys.exit(main())
