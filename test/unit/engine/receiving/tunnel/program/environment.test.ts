import { expect, it } from 'vitest'
import { cloudflared } from '#engine/receiving/tunnel/program/cloudflared.ts'
import { environmentFor } from '#engine/receiving/tunnel/program/find.ts'
import { ngrok } from '#engine/receiving/tunnel/program/ngrok.ts'

it("passes the environment on, without Tabscope's variables and those that would change the tunnel", () => {
  const env = {
    PATH: '/usr/bin',
    HOME: '/home/somebody',
    TABSCOPE_DATA: '/data',
    tabscope_token: 'x',
    NGROK_AUTHTOKEN: 'theirs',
    TUNNEL_HOSTNAME: 'pier9.example.com',
    TUNNEL_TRANSPORT_PROTOCOL: 'http2',
    GONE: undefined,
  }
  const world = { tunnelThread: new URL('file:///none'), env }
  const common = {
    PATH: '/usr/bin',
    HOME: '/home/somebody',
    NGROK_AUTHTOKEN: 'theirs',
    TUNNEL_TRANSPORT_PROTOCOL: 'http2',
  }
  expect(environmentFor(cloudflared, world)).toEqual(common)
  expect(environmentFor(ngrok, world)).toEqual({ ...common, TUNNEL_HOSTNAME: env.TUNNEL_HOSTNAME })
})
