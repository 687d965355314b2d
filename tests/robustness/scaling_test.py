"""Nothing takes more than its input is long: runs scaling_probe over every case and fails where work grows faster than linearly as one
element of the input stands n, 2n and 4n times.

    scaling_test.py PROBE [--quick] [--match TEXT] [--sample N] [--seed N] [--only FILE] [--jobs N] [--top N] [--keep DIR]
                          [--table FILE] [--no-screening] [--n N]

Two methods follow each other. The screening measures the processor time of each case natively (scaling_screening.h), at sizes at which
quadratic work cannot hide behind linear work, and clears what clearly does not grow. It says nothing about the others: noise, and caches
that are full, look like growth. Those are run under callgrind, which counts instructions, at the sizes at which they were not clear: that
gives the verdict, once more with the least of three runs where it is against the case. Cases that are planted because their growth is
known must get their verdicts in the same way; the test fails when it does not find them.

What is judged is growth: the instructions that the step from 2n to 4n adds, over those that the step from n to 2n adds. What a case
costs at any size drops out; linear work gives 2, n log n a little more, quadratic work 4.

--no-screening counts instructions in every case, which takes hours: from n = 100 on, where what runs beside a request and the growth of
tables disturb, so that who is suspect there is measured again at four and at sixteen times the size."""
import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# Quadratic work with a small constant hides behind linear work: at this growth a third of the work at 4n is quadratic.
LIMIT = 2.5
# Without screening, the first round asks for a second look outside of these. Growth is too small where the noise was in the middle.
SUSPECT_ABOVE, SUSPECT_BELOW = 2.3, 1.6
# Where twice the input adds less than this part, it cannot be told what grows from what is done at any size.
LEAST_ADDED = 0.25
LATER_FACTORS, LATER_TIMES = (4, 16), 3
# A process of the screening takes about so many cases.
CHUNK = 400
# What is known to grow faster, and why that is so. Reported, and no failure.
KNOWN = {
    'build: patches that each add a key': 'each patch walks the resource it changes: the time is that of the patches times its size',
}
# Whether each planted case grows.
PLANTED = {'planted: linear': False, 'planted: a tenth quadratic': True, 'planted: quadratic': True}


def write_names(folder, names):
    """Names with the n of each, or without where it is None."""
    file = os.path.join(folder, 'names')
    with open(file, 'w') as out:
        out.write(''.join(f'{name}\n' if n is None else f'{n}\t{name}\n' for name, n in names.items()))
    return f'--only={file}'


def run_shards(command_of, jobs, shards):
    """Runs the probe for each shard, so many at a time. Its output by shard, the number of cases, and whether all went well."""
    def run(shard):
        return subprocess.run(command_of(shard), capture_output=True, text=True)
    outputs, cases, well = [], 0, True
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        for done in pool.map(run, range(shards)):
            told = re.search(r'^(\d+) cases$', done.stderr, re.M)
            cases = max(cases, int(told.group(1)) if told else 0)
            if done.returncode != 0 or told is None:
                print(f'the probe ended with {done.returncode}:\n{done.stdout[-500:]}\n{done.stderr[-4000:]}')
                well = False
            outputs.append(done.stdout)
    return outputs, cases, well


# --- screening ---

def screen(options, more, count):
    """The lines of the screening by case: verdict, n, growth, points."""
    shards = max(1, -(-count // CHUNK))
    outputs, _, well = run_shards(
        lambda shard: [options.probe, '--screen', f'--shard={shard}/{shards}', f'--match={options.match}', *more], options.jobs, shards)
    rows = {}
    for output in outputs:
        for line in output.splitlines():
            verdict, n, growth, points, name = line.split('\t', 4)
            rows[name] = (verdict, int(n), float(growth), points)
    return rows, well


# --- instructions ---

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


def count_instructions(options, folder, jobs, more):
    """The counts by case and size, how many cases there were, and whether all went well."""
    outs = [os.path.join(folder, f'shard{shard}') for shard in range(jobs)]
    for out in outs:
        os.makedirs(out)
    _, cases, well = run_shards(
        lambda shard: ['valgrind', '--tool=callgrind', '-q', '--error-exitcode=0', f'--callgrind-out-file={outs[shard]}/out',
                       '--dump-line=no', '--instr-atstart=no', '--fair-sched=yes', options.probe, f'--shard={shard}/{jobs}',
                       f'--match={options.match}', *more], jobs, jobs)
    counts = {}
    for out in outs:
        read_counts(out, counts)
        if not options.keep:
            shutil.rmtree(out, ignore_errors=True)
    if len(counts) != cases or cases == 0:
        print(f'{len(counts)} of {cases} cases were measured')
        well = False
    return counts, well


def growth_of(at):
    """Of the last three sizes; None where not all were measured. And the part that the last step adds."""
    sizes = sorted(at)
    if len(sizes) != 3:
        return None, 0
    least, middle, most = (at[size] for size in sizes)
    return (most - middle) / max(middle - least, 1), (most - middle) / middle


def is_suspect(at):
    growth, added = growth_of(at)
    return growth is None or (added >= LEAST_ADDED and not SUSPECT_BELOW <= growth <= SUSPECT_ABOVE)


def judge(counts):
    """By case: growth, the counts, and what is wrong."""
    rows = {}
    for case, at in counts.items():
        growth, added = growth_of(at)
        if growth is None:
            rows[case] = (float('inf'), at, 'not measured at every size')
        elif growth > LIMIT and added >= LEAST_ADDED:
            rows[case] = (growth, at, f'known: {KNOWN[case]}' if case in KNOWN else 'grows faster than its input')
        else:
            rows[case] = (growth, at, '')
    return rows


def is_wrong(case, row):
    return bool(row[2]) and case not in KNOWN


def count_unclear(options, folder, unclear, more=(), rounds=(1, LATER_TIMES)):
    """The verdicts on cases that the screening left open, each at its own n."""
    rows, well = {}, True
    for times in rounds:
        if not unclear:
            break
        here = os.path.join(folder, f'times{times}')
        os.makedirs(here)
        counts, this_well = count_instructions(options, here, min(options.jobs, len(unclear)),
                                               [f'--times={times}', write_names(here, unclear), *more])
        well = well and this_well
        rows.update(judge(counts))
        unclear = {case: n for case, n in unclear.items() if case not in rows or is_wrong(case, rows[case])}
    return rows, well


def count_all(options, folder, more):
    """The verdicts on all cases, by instructions alone."""
    here = os.path.join(folder, '1')
    os.makedirs(here)
    counts, well = count_instructions(options, here, options.jobs, [f'--n={options.n}', *more])
    suspects = {case: None for case, at in counts.items() if is_suspect(at)}
    rows = judge({case: at for case, at in counts.items() if case not in suspects})
    for factor in LATER_FACTORS:
        if not suspects:
            break
        here = os.path.join(folder, str(factor))
        os.makedirs(here)
        counts, this_well = count_instructions(options, here, min(options.jobs, len(suspects)),
                                               [f'--n={factor * options.n}', f'--times={LATER_TIMES}', write_names(here, suspects)])
        well = well and this_well
        judged = judge(counts)
        suspects = {case: None for case, row in judged.items() if is_wrong(case, row) and factor != LATER_FACTORS[-1]}
        rows.update({case: row for case, row in judged.items() if case not in suspects})
    return rows, well


# --- verdicts ---

def check_planted(options, folder):
    """Whether both methods still see growth where it is known to be."""
    screened, well = screen(options, ['--planted'], 1)
    unclear = {case: row[1] for case, row in screened.items() if row[0] == 'unclear'}
    counted, counted_well = count_unclear(options, folder, unclear, ['--planted'], (1,))
    for case, grows in PLANTED.items():
        if case not in screened:
            print(f'"{case}" was not measured')
            well = False
        elif grows and case not in unclear:
            print(f'the screening does not see that "{case}" grows: {screened[case]}')
            well = False
        elif grows != is_wrong(case, counted.get(case, (0, {}, ''))):
            print(f'the verdict on "{case}" is not what it must be: {counted.get(case)}')
            well = False
    return well and counted_well


def show(rows):
    for case, (growth, at, why) in rows:
        sizes = '  '.join(f'{size}: {at[size]:,}' for size in sorted(at))
        print(f'{growth:6.2f}  {case}  ({sizes}){": " + why if why else ""}')


def processor_minutes():
    times = os.times()
    return (times.user + times.system + times.children_user + times.children_system) / 60


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('probe')
    parser.add_argument('--quick', action='store_true')
    parser.add_argument('--no-screening', action='store_true')
    parser.add_argument('--n', type=int, default=100, help='without screening')
    parser.add_argument('--match', default='')
    parser.add_argument('--sample', type=int, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--only', help='a file with the names of cases, one a line')
    parser.add_argument('--jobs', type=int, default=os.cpu_count() or 1)
    parser.add_argument('--top', type=int, default=5)
    parser.add_argument('--keep')
    parser.add_argument('--table', help='a file to write the verdict on each case to')
    options = parser.parse_args()
    if shutil.which('valgrind') is None:
        print('skipped: valgrind is not installed, so that instructions cannot be counted (tools/packages.txt)')
        return SKIPPED
    if not os.path.exists('/usr/include/valgrind/callgrind.h') and not os.environ.get('CPATH'):
        print('skipped: the probe was built without valgrind/callgrind.h')
        return SKIPPED
    folder = options.keep or tempfile.mkdtemp(prefix='strake-scaling-')
    os.makedirs(folder, exist_ok=True)
    try:
        return run(options, folder)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)


def run(options, folder):
    more = ['--quick'] if options.quick else []
    if options.only:
        more.append(f'--only={options.only}')
    names = subprocess.run([options.probe, '--list', f'--match={options.match}', *more], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    if options.sample:
        names = random.Random(options.seed).sample(names, min(options.sample, len(names)))
        more = [write_names(folder, dict.fromkeys(names))]
    screened = {}
    if options.no_screening:
        rows, well = count_all(options, folder, more)
    else:
        planted = os.path.join(folder, 'planted')
        os.makedirs(planted)
        planted_options = argparse.Namespace(**{**vars(options), 'match': ''})
        well = check_planted(planted_options, planted)
        screened, screened_well = screen(options, more, len(names))
        rows, counted_well = count_unclear(options, folder, {case: row[1] for case, row in screened.items() if row[0] == 'unclear'})
        well = well and screened_well and counted_well
    without = [case for case in names if case not in rows and screened.get(case, ('unclear',))[0] == 'unclear']
    if without:
        print(f'{len(without)} cases have no verdict, such as "{without[0]}"')
        well = False
    wrong = [case for case, row in rows.items() if is_wrong(case, row)]
    known = [case for case, row in rows.items() if row[2] and case in KNOWN]
    by_growth = sorted(rows.items(), key=lambda item: item[1][0], reverse=True)
    show([item for item in by_growth if item[1][2]] or by_growth[:options.top])
    if options.table:
        with open(options.table, 'w') as out:
            for case in names:
                verdict, n, growth, points = screened.get(case, ('unclear', 0, 0.0, ''))
                if case in rows:
                    growth, at, why = rows[case]
                    verdict = why or 'linear by instructions'
                    points = f'{points} | ' + ' '.join(f'{size}:{at[size]}' for size in sorted(at))
                out.write(f'{case}\t{verdict}\t{growth:.2f}\t{points}\n')
    cleared = collections.Counter(row[0] for case, row in screened.items() if row[0] != 'unclear')
    print(f'{len(names)} cases: {sum(cleared.values())} cleared by the screening'
          + ''.join(f', {count} {verdict}' for verdict, count in sorted(cleared.items()))
          + f'; {len(rows)} judged by instructions; {len(wrong)} grow faster than their input, {len(known)} are known to; '
          + f'{processor_minutes():.1f} minutes of processor time')
    return 0 if well and not wrong else 1


if __name__ == '__main__':
    sys.exit(main())
