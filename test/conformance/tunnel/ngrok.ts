import { fakesUnavailable, programFarSide } from '#test/support/tunnel-programs/program-rig.ts'
import type { TunnelRig } from '#test/support/tunnel-rig.ts'

const rig: TunnelRig = {
  label: 'a fake ngrok',
  notHere: fakesUnavailable,
  holds: true,
  absence: ['server_unresolved'],
  written: [
    ['', {}],
    [':Pier9.ngrok.app', { domain: 'pier9.ngrok.app' }],
  ],
  refusedWritten: [
    [':https://pier9.ngrok.app', 'domain'],
    [':pier9', 'domain'],
    [':pier9.ngrok.app/hooks', 'domain'],
  ],
  refused: [
    [{ domain: '--config=/tmp/x.yml' }, 'domain'],
    [{ domain: 'pier9..app' }, 'domain'],
    [{ authtoken: 'x' }, 'authtoken'],
  ],
  start: () => programFarSide('ngrok'),
}
export default rig
