"""Nothing takes more than its input is long: runs scaling_probe under callgrind, which counts instructions, and fails where work grows
faster than linearly as one element of the input stands n, 2n and 4n times.

    scaling_test.py PROBE [--quick] [--n N] [--match TEXT] [--sample N] [--seed N] [--only FILE] [--jobs N] [--top N] [--keep DIR]

What is judged is growth: the instructions that the step from 2n to 4n adds, over those that the step from n to 2n adds. What a case
costs at any size drops out; linear work gives 2, n log n a little more, quadratic work 4.

Timers and controllers of the server, and the growth of tables and allocators, add steps that have nothing to do with the input. So the
first round only finds who is suspect: whose growth is not near 2. A second round measures those at four times the size, three times each,
and takes the least: there a step is small beside the work, and work that is quadratic stands out more. A third round does the same once
more, at sixteen times the size, for those that the second found to grow: what runs beside a request costs the same at any size."""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# Quadratic work with a small constant hides behind linear work: at this growth a tenth of the work at 4n is quadratic.
LIMIT = 2.5
# The first round asks for a second look outside of these. Growth is too small where the noise was in the middle.
SUSPECT_ABOVE, SUSPECT_BELOW = 2.3, 1.6
# Where twice the input adds less than this part, the first round cannot tell what grows from what is done at any size.
LEAST_ADDED = 0.25
LATER_FACTORS, LATER_TIMES = (4, 16), 3
# What is known to grow faster, and why that is so. Reported, and no failure.
KNOWN = {
    'build: patches that each add a key': 'each patch walks the resource it changes: the time is that of the patches times its size',
}


def run_shard(probe, options, folder, shard, shards, more):
    out = os.path.join(folder, f'shard{shard}')
    os.makedirs(out)
    command = ['valgrind', '--tool=callgrind', '-q', '--error-exitcode=0', f'--callgrind-out-file={out}/out', '--dump-line=no',
               '--instr-atstart=no', '--fair-sched=yes', probe, f'--shard={shard}/{shards}', f'--match={options.match}'] + more
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True), out


def read_counts(folder, counts):
    """Each dump says which case and size it belongs to, and its total."""
    for name in os.listdir(folder):
        label = total = None
        with open(os.path.join(folder, name), errors='replace') as file:
            for line in file:
                if line.startswith('desc: Trigger: Client Request: '):
                    label = line[len('desc: Trigger: Client Request: '):].rstrip('\n')
                elif line.startswith('totals: '):
                    total = int(line.split()[1])
        if label is None or total is None or '\t' not in label:
            continue
        n, case = label.split('\t', 1)
        at = counts.setdefault(case, {})
        at[int(n)] = min(total, at.get(int(n), total))


def run_round(options, folder, jobs, more):
    """The counts by case and size, how many cases there were, and whether all went well."""
    running = [run_shard(options.probe, options, folder, shard, jobs, more) for shard in range(jobs)]
    counts, cases, well = {}, 0, True
    for process, out in running:
        errors = process.communicate()[1]
        told = re.search(r'^(\d+) cases$', errors, re.M)
        cases = max(cases, int(told.group(1)) if told else 0)
        if process.returncode != 0 or told is None:
            print(f'the probe ended with {process.returncode}:\n{errors[-4000:]}')
            well = False
        read_counts(out, counts)
        if not options.keep:
            shutil.rmtree(out, ignore_errors=True)
    if len(counts) != cases or cases == 0:
        print(f'{len(counts)} of {cases} cases were measured')
        well = False
    return counts, cases, well


def growth_of(at, n):
    """None where not every size was measured; and the part that the last step adds. The probe takes a quarter of n for much work."""
    n = n // 4 if n // 4 in at else n
    if sorted(at) != [n, 2 * n, 4 * n]:
        return None, 0
    first, second = at[2 * n] - at[n], at[4 * n] - at[2 * n]
    return second / max(first, 1), second / at[2 * n]


def is_suspect(at, n):
    growth, added = growth_of(at, n)
    return growth is None or (added >= LEAST_ADDED and not SUSPECT_BELOW <= growth <= SUSPECT_ABOVE)


def write_names(folder, names):
    file = os.path.join(folder, 'names')
    with open(file, 'w') as out:
        out.write(''.join(name + '\n' for name in names))
    return f'--only={file}'


def show(rows):
    for growth, case, at, why in rows:
        sizes = '  '.join(f'{size}: {at[size]:,}' for size in sorted(at))
        print(f'{growth:6.2f}  {case}  ({sizes}){": " + why if why else ""}')


def judge(counts, n):
    rows = []
    for case, at in counts.items():
        growth, added = growth_of(at, n)
        if growth is None:
            rows.append((float('inf'), case, at, 'not measured at every size'))
        elif growth > LIMIT and added >= LEAST_ADDED:
            rows.append((growth, case, at, f'known: {KNOWN[case]}' if case in KNOWN else 'grows faster than its input'))
        else:
            rows.append((growth, case, at, ''))
    return sorted(rows, reverse=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('probe')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--n', type=int, default=100)
    parser.add_argument('--match', default='')
    parser.add_argument('--sample', type=int, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--only', help='a file with the names of cases, one a line')
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
        rounds = [os.path.join(folder, str(factor)) for factor in (1, *LATER_FACTORS)]
        for one in rounds:
            os.makedirs(one)
        more = ['--quick'] if options.quick else []
        if options.only:
            more.append(f'--only={options.only}')
        if options.sample:
            names = subprocess.run([options.probe, '--list', *more], check=True, capture_output=True, text=True).stdout.splitlines()
            more.append(write_names(rounds[0], random.Random(options.seed).sample(names, min(options.sample, len(names)))))
        counts, cases, well = run_round(options, rounds[0], options.jobs, [f'--n={options.n}', *more])
        suspects = sorted(case for case, at in counts.items() if is_suspect(at, options.n))
        looked_twice = len(suspects)
        unseen = sum(growth_of(at, options.n)[1] < LEAST_ADDED for at in counts.values())
        rows = judge({case: at for case, at in counts.items() if case not in suspects}, options.n)
        for factor, round_folder in zip(LATER_FACTORS, rounds[1:]):
            if not suspects:
                break
            n = factor * options.n
            again, _, again_well = run_round(options, round_folder, min(options.jobs, len(suspects)),
                                             [f'--n={n}', f'--times={LATER_TIMES}', write_names(round_folder, suspects)])
            well = well and again_well
            judged = judge(again, n)
            suspects = sorted(row[1] for row in judged if row[3] and row[1] not in KNOWN) if factor != LATER_FACTORS[-1] else []
            rows = sorted(rows + [row for row in judged if row[1] not in suspects], reverse=True)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    wrong = [row for row in rows if row[3] and row[1] not in KNOWN]
    show([row for row in rows if row[3]] or rows[:options.top])
    print(f'{cases} cases measured, {looked_twice} of them twice, {unseen} cost nearly the same at any size, '
          f'{len(wrong)} grow faster than their input')
    return 0 if well and not wrong else 1


if __name__ == '__main__':
    sys.exit(main())
