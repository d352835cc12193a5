import type { LogFormat } from '../format.ts'
import { httpieDialect } from '../format-parts/sending/httpie-dialect.ts'
import { writeScript } from '../format-parts/script.ts'

const httpie: LogFormat = {
  id: 'httpie',
  label: 'HTTPie script',
  about: 'A shell script that sends each delivery again with HTTPie, its bytes as captured.',
  extension: 'sh',
  mediaType: 'text/x-shellscript; charset=utf-8',
  returns: 'no',
  sends: true,
  gzip: false,
  comfortable: 1000,
  single: true,
  write: (head, items, env) => writeScript(httpieDialect, head, items, env),
}

export default httpie
