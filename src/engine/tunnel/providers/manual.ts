import { notYet } from '../not-yet.ts'
import type { TunnelProvider } from '../provider.ts'

const provider: TunnelProvider = {
  id: 'manual',
  label: 'manual',
  about: '',
  fields: [],
  notes: [],
  leadsTo: 'listener',
  parse: () => ({}),
  check: () => ({}),
  look: async () => ({ missing: null, program: null }),
  open: () => notYet('manual'),
}
export default provider
