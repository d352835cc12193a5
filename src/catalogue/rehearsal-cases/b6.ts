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
  variants: (kit) => {
    const duplicate = kit.event()
    const marked = kit.event()
    const invalid = kit.event()
    const bytes = Uint8Array.from(kit.deliver(invalid).body)
    // Inside of a string, where 0xff is never valid (RFC 3629).
    bytes[bytes.indexOf('"A-'.charCodeAt(1), JSON.stringify(invalid).indexOf('"orderName"'))] = 0xff
    return [
      {
        name: 'duplicate keys',
        steps: [
          kit.deliver(duplicate, {
            body: bodyWith(duplicate, { total: '15.50,"total":0.50' }),
            signed: true,
          }),
        ],
        expect: 'no-server-error',
      },
      {
        name: 'byte order mark',
        steps: [kit.deliver(marked, { body: `\ufeff${JSON.stringify(marked)}`, signed: true })],
        expect: 'no-server-error',
      },
      {
        name: 'invalid UTF-8',
        steps: [kit.deliver(invalid, { body: bytes, signed: true })],
        expect: 'no-server-error',
      },
    ]
  },
})
