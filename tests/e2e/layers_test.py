"""tools/check_layers, on small trees that break one rule each."""
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.environ['STRAKE_SOURCE']

TABLE = '''
base  :
value : base
cel   : value
meta  : value
cli   : cel meta
header yaml.h : src/value/yaml_*.cc
'''
TREE = {
    'src/base/CMakeLists.txt': 'strake_module(NAME base HEADERS a.h)',
    'src/base/a.h': '#include <string>\n',
    'src/value/CMakeLists.txt': 'strake_module(NAME value DEPS base SOURCES yaml_reader.cc)',
    'src/value/yaml_reader.cc': '#include <yaml.h>\n#include "base/a.h"\n',
    'src/cel/CMakeLists.txt': 'strake_module(NAME cel DEPS value TESTS x_test.cc TEST_DEPS meta)',
    'src/cel/x.cc': '#include "base/a.h"\n',
    'src/meta/CMakeLists.txt': 'strake_module(NAME meta DEPS value)',
    'src/cel/x_test.cc': '#include "meta/m.h"\n',
}


def check(changes=None, table=TABLE):
    with tempfile.TemporaryDirectory() as root:
        for name, text in {**TREE, **(changes or {}), 'tools/layers.txt': table}.items():
            path = os.path.join(root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, 'w') as file:
                file.write(text)
        got = subprocess.run([sys.executable, '-B', os.path.join(SOURCE, 'tools/check_layers'), '--root', root],
                             text=True, capture_output=True)
        return got.returncode, got.stderr


class Layers(unittest.TestCase):
    def test_accepts_includes_that_point_down(self):
        self.assertEqual(check(), (0, ''))

    def test_refuses_an_include_that_points_up(self):
        self.assertEqual(check({'src/base/b.cc': '#include "value/v.h"\n'}),
                         (1, 'src/base/b.cc:1: base may not include value ("value/v.h")\n'))

    def test_refuses_an_include_that_points_sideways(self):
        self.assertEqual(check({'src/cel/y.cc': '\n#include "meta/m.h"\n'}),
                         (1, 'src/cel/y.cc:2: cel may not include meta ("meta/m.h")\n'))

    def test_refuses_an_include_that_cmake_does_not_know(self):
        code, fault = check({'src/cel/CMakeLists.txt': 'strake_module(NAME cel TEST_DEPS meta)'})
        self.assertEqual(code, 1)
        self.assertIn('cel includes base, which its CMakeLists.txt does not name', fault)

    def test_refuses_a_dependency_in_cmake_that_the_table_does_not_allow(self):
        code, fault = check({'src/meta/CMakeLists.txt': 'strake_module(NAME meta DEPS value cel)'})
        self.assertEqual((code, fault), (1, 'src/meta/CMakeLists.txt: DEPS cel: meta may not depend on it\n'))

    def test_refuses_a_cycle_in_the_table(self):
        code, fault = check(table=TABLE.replace('base  :', 'base  : cel'))
        self.assertEqual(code, 1)
        self.assertIn('a cycle: base -> cel -> value -> base', fault)

    def test_refuses_a_folder_that_the_table_does_not_name(self):
        self.assertEqual(check({'src/util/u.h': '', 'src/util/u.cc': ''}),
                         (1, 'src/util: this folder is not in tools/layers.txt\n'))

    def test_refuses_a_confined_header_elsewhere(self):
        self.assertEqual(check({'src/value/json.cc': '#include <yaml.h>\n'}),
                         (1, 'src/value/json.cc:1: <yaml.h> belongs in src/value/yaml_*.cc only\n'))


if __name__ == '__main__':
    unittest.main()
