import { routes } from '../platform/routes.ts'
import type { Tunnel } from './tunnel.ts'

export interface TunnelPorts {
  readonly tunnel: Tunnel
}

export const tunnelRoutes = routes<TunnelPorts>()({
  'tunnel.open': ({ tunnel }, { setup, temporary, acceptServer }) =>
    tunnel.open(setup ?? null, temporary, acceptServer),

  'tunnel.close': ({ tunnel }) => tunnel.close(),
  'tunnel.check': ({ tunnel }) => tunnel.check(),
  'tunnel.configure': ({ tunnel }, { setup }) => tunnel.configure(setup),
  'tunnel.providers': ({ tunnel }) => tunnel.providers(),
  'tunnel.copied': ({ tunnel }, { url }) => tunnel.copied(url),
  'tunnel.dismiss': ({ tunnel }, { kind }) => tunnel.dismiss(kind),
})
