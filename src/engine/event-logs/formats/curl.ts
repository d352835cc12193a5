import type { LogFormat } from '../format.ts'
import { curlDialect } from '../format-parts/sending/curl-dialect.ts'
import { writeScript } from '../format-parts/script.ts'

const curl: LogFormat = {
  id: 'curl',
  label: 'curl script',
  about: 'A shell script that sends each delivery again with curl, its bytes as captured.',
  extension: 'sh',
  mediaType: 'text/x-shellscript; charset=utf-8',
  returns: 'no',
  sends: true,
  gzip: false,
  comfortable: 1000,
  single: true,
  write: (head, items, env) => writeScript(curlDialect, head, items, env),
}

export default curl
