import type { LogFormat } from '../format.ts'
import { fetchDialect } from '../format-parts/sending/fetch-dialect.ts'
import { writeScript } from '../format-parts/script.ts'

const fetch: LogFormat = {
  id: 'fetch',
  label: 'fetch module',
  about:
    'A JavaScript module for Node 20 or newer that sends each delivery again with fetch, its bytes as captured.',
  extension: 'mjs',
  mediaType: 'text/javascript; charset=utf-8',
  returns: 'no',
  sends: true,
  gzip: false,
  comfortable: 1000,
  single: true,
  write: (head, items, env) => writeScript(fetchDialect, head, items, env),
}

export default fetch
