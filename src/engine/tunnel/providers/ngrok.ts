import { notYet } from '../not-yet.ts'
import type { TunnelProvider } from '../provider.ts'

const provider: TunnelProvider = {
  id: 'ngrok',
  label: 'ngrok',
  about: '',
  fields: [],
  notes: [],
  leadsTo: 'door',
  parse: () => ({}),
  check: () => ({}),
  look: async () => ({ missing: null, program: null }),
  open: () => notYet('ngrok'),
}
export default provider
