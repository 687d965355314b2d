"""Runs the player of the recordings: `play.py TOOL ARGUMENT...`. It compares answers as though each conversation took less than a
second, since the order of managedFields depends on where seconds end."""
import importlib.util
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from conversation import written_in_one_second  # noqa: E402


def load(path):
    spec = importlib.util.spec_from_file_location('recordings_player', path)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


def make_steady(tool):
    scrub = tool.scrub
    play = tool.play

    def scrub_at_once(value, key=None):
        # The tool calls itself for what is inside; only the whole answer is put in order.
        tool.scrub = scrub
        try:
            return scrub(written_in_one_second(value), key)
        finally:
            tool.scrub = scrub_at_once

    def play_at_once(client, conversation, record):
        for step in conversation['steps']:
            if 'expect' in step:
                step['expect'] = written_in_one_second(step['expect'])
        return play(client, conversation, record)

    tool.scrub = scrub_at_once
    tool.play = play_at_once


if __name__ == '__main__':
    player = load(sys.argv[1])
    make_steady(player)
    sys.argv = sys.argv[1:]
    player.main()
