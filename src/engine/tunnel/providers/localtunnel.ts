import { notYet } from '../not-yet.ts'
import type { TunnelProvider } from '../provider.ts'

const provider: TunnelProvider = {
  id: 'localtunnel',
  label: 'localtunnel',
  about: '',
  fields: [],
  notes: [],
  leadsTo: 'door',
  parse: () => ({}),
  check: () => ({}),
  look: async () => ({ missing: null, program: null }),
  open: () => notYet('localtunnel'),
}
export default provider
