import { notYet } from '../not-yet.ts'
import type { TunnelProvider } from '../provider.ts'

const provider: TunnelProvider = {
  id: 'cloudflared',
  label: 'cloudflared',
  about: '',
  fields: [],
  notes: [],
  leadsTo: 'door',
  parse: () => ({}),
  check: () => ({}),
  look: async () => ({ missing: null, program: null }),
  open: () => notYet('cloudflared'),
}
export default provider
