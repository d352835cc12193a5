import type { LogFormat } from '../format.ts'
import { notYet } from '../not-yet.ts'

const ndjson: LogFormat = {
  id: 'ndjson',
  label: 'Event log',
  about: 'All of it, to be opened in another Tabscope: for support, or to keep.',
  extension: 'ndjson',
  mediaType: 'application/x-ndjson',
  returns: 'whole',
  gzip: true,
  comfortable: null,
  single: true,
  // oxlint-disable-next-line require-yield -- still being built
  *write() {
    notYet('The event log')
  },
}

export default ndjson
