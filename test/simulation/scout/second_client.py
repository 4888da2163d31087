"""Ask a Scout for its state and print it as JSON: a second program, to check the first.

Written from the packet table of the specification alone (scout_protocol.md §2 and §4.3); it
shares no line with the package. Usage: second_client.py PORT
"""

import json
import sys

import serial


def signed(low: int, high: int) -> int:
    size = low + 256 * (high & 0x7F)
    return -size if high & 0x80 else size


def ask(port: serial.Serial) -> bytes:
    port.reset_input_buffer()
    port.write(bytes([0x01, 0x02, 0x00, 0x07, 0x0A, 0x5C]))
    reply = port.read(48)
    if len(reply) != 48:
        sys.exit(f'{len(reply)} bytes in place of 48: {reply.hex(" ")}')
    if (reply[0], reply[1], reply[2], reply[3], reply[47]) != (0x01, 0x2C, 0x00, 0x07, 0x5C):
        sys.exit(f'not a state: {reply.hex(" ")}')
    if sum(reply[:46]) % 256 != reply[46]:
        sys.exit(f'wrong checksum: {reply.hex(" ")}')
    return reply[4:46]


def main() -> None:
    with serial.Serial(sys.argv[1], 38400, timeout=2.0) as port:
        reported = ask(port)
    state = {
        'sonar': list(reported[0:16]),
        'bumper': reported[16] + 256 * reported[17] + 65536 * reported[18],
        'x': signed(reported[19], reported[20]),
        'y': signed(reported[21], reported[22]),
        'heading': signed(reported[23], reported[24]),
        'right': signed(reported[27], reported[28]),
        'left': signed(reported[29], reported[30]),
        'status': reported[35],
        'clock': reported[36] + 256 * (reported[37] + 256 * (reported[38] + 256 * reported[39])),
        'cpu_volt': (2 + 3 * reported[40] / 255) * 12.0 / 5,
        'motor_volt': (2 + 3 * reported[41] / 255) * 12.85 / 5,
    }
    print(json.dumps(state))


if __name__ == '__main__':
    main()
