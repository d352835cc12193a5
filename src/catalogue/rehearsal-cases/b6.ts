import { bodyWith, defineCase } from '../rehearsal/define.ts'

export default defineCase({
  id: 'B6',
  group: 'body',
  title: 'Duplicate keys, byte order mark, invalid UTF-8',
  level: 'INFO',
  basis: 'RFC 8259',
  expected: 'Accept or reject, without a server error',
  why: 'Parsers disagree on these bodies. Two parts of a system that read different totals from the same order cannot be reconciled later.',
  fix: 'parse-safely',
  hostile: true,
  variants: (builder) => {
    const duplicate = builder.event()
    const marked = builder.event()
    const invalid = builder.event()
    const bytes = Uint8Array.from(builder.deliver(invalid).body)
    // In a string, where 0xff is never valid (RFC 3629).
    bytes[bytes.indexOf('"A-'.charCodeAt(1), JSON.stringify(invalid).indexOf('"orderName"'))] = 0xff
    return [
      {
        name: 'duplicate keys',
        steps: [
          builder.deliver(duplicate, {
            body: bodyWith(duplicate, { total: '15.50,"total":0.50' }),
            signed: true,
          }),
        ],
        expect: 'no-server-error',
      },
      {
        name: 'byte order mark',
        steps: [builder.deliver(marked, { body: `\ufeff${JSON.stringify(marked)}`, signed: true })],
        expect: 'no-server-error',
      },
      {
        name: 'invalid UTF-8',
        steps: [builder.deliver(invalid, { body: bytes, signed: true })],
        expect: 'no-server-error',
      },
    ]
  },
})
