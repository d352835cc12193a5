import { EventEmitter } from 'node:events'
import http, { type ClientRequest, type RequestOptions } from 'node:http'
import https from 'node:https'
import { assertReady } from './app.ts'
import { session, type Session } from './sessions.ts'

/** Requests of main with Node instead of Chromium, without the proxies and certificates of the system. */
export const net = {
  request(options: RequestOptions & { session?: Session }): ClientRequest {
    assertReady('net.request')
    const { session: of = session.defaultSession, ...rest } = options
    const request = (rest.protocol === 'https:' ? https : http).request(rest)
    // Electron's request has no socket events, so code that relies on Node's timeouts waits forever.
    const emit = request.emit.bind(request)
    request.emit = (name: string, ...args: unknown[]) => name !== 'socket' && emit(name, ...args)
    of.requested(request)
    return request
  },
  async fetch(url: string, init?: RequestInit): Promise<Response> {
    assertReady('net.fetch')
    return fetch(url, init)
  },
}

/** The native updater. On Linux it is only used to emit `before-quit-for-update`. */
export const autoUpdater = new EventEmitter()
