import { expect, test } from 'vitest'
import { contentDisposition } from '#hosts/node/serve/export-download.ts'

test.each([
  ['evening.ndjson', 'evening.ndjson', 'evening.ndjson'],
  ['a "b"; c.html', 'a -b-; c.html', 'a%20-b-%3B%20c.html'],
  ['../../etc/passwd', '-..-etc-passwd', '-..-etc-passwd'],
  ['Gäste ☕.csv', 'G-ste -.csv', 'G%C3%A4ste%20%E2%98%95.csv'],
  ["it's (1) 100%*.har", "it's (1) 100--.har", 'it%27s%20%281%29%20100%25-.har'],
  ['a\r\nSet-Cookie: b', 'a--Set-Cookie- b', 'a--Set-Cookie-%20b'],
  ['...', 'export', 'export'],
  ['\ud800', '-', '%EF%BF%BD'],
])('%j is saved under a safe file name', (name, ascii, extended) => {
  expect(contentDisposition(name)).toBe(
    `attachment; filename="${ascii}"; filename*=UTF-8''${extended}`,
  )
})
