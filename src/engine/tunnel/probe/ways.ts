import type { Asked } from './ask.ts'

type Way = Pick<Asked, 'method' | 'headers'>

/** As a sender has them. Whoever changes bodies has no reason to with this type, and no leave to compress the answer. */
export const asSender: Way = {
  method: 'POST',
  headers: [
    ['User-Agent', 'Tabscope-Probe'],
    ['Accept', 'application/json'],
    ['Accept-Encoding', 'identity'],
    ['Content-Type', 'application/octet-stream'],
  ],
}

/** As a browser opens a page: by these, servers choose whom to show one of theirs. */
export const asBrowser: Way = {
  method: 'GET',
  headers: [
    [
      'User-Agent',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    ],
    ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
    ['Accept-Language', 'en-US,en;q=0.9'],
    ['Accept-Encoding', 'identity'],
    ['Upgrade-Insecure-Requests', '1'],
    ['Sec-Fetch-Dest', 'document'],
    ['Sec-Fetch-Mode', 'navigate'],
    ['Sec-Fetch-Site', 'none'],
  ],
}
