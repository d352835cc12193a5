import { EventEmitter } from 'node:events'
import http, { type ClientRequest, type RequestOptions } from 'node:http'
import https from 'node:https'
import { assertReady } from './app.ts'
import { session, type Session } from './sessions.ts'

/** Requests of main, by Node instead of Chromium: without the proxies and certificates of the system. */
export const net = {
  request(options: RequestOptions & { session?: Session }): ClientRequest {
    assertReady('net.request')
    const { session: of = session.defaultSession, ...rest } = options
    const request = (rest.protocol === 'https:' ? https : http).request(rest)
    // Electron's tells nothing of its socket: what waits for a time limit of Node's waits for ever.
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

/** The system's own updater: on Linux nobody uses it but to say what is about to happen. */
export const autoUpdater = new EventEmitter()
