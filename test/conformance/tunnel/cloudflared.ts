import { fakesUnavailable, programFarSide } from '#test/support/tunnel-programs/program-rig.ts'
import type { TunnelRig } from '#test/support/tunnel-rig.ts'

const rig: TunnelRig = {
  label: 'a fake cloudflared',
  notHere: fakesUnavailable,
  holds: true,
  absence: ['server_unresolved'],
  written: [['', {}]],
  refusedWritten: [[':pier9', 'cloudflared']],
  refused: [[{ domain: 'pier9.example.com' }, 'domain']],
  start: () => programFarSide('cloudflared'),
}
export default rig
