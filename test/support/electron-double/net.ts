import { EventEmitter } from 'node:events'
import http, { type ClientRequest, type RequestOptions } from 'node:http'
import https from 'node:https'
import { assertReady } from './app.ts'

/** Requests of main, by Node instead of Chromium: without the proxies and certificates of the system. */
export const net = {
  request(options: RequestOptions & { session?: unknown }): ClientRequest {
    assertReady('net.request')
    const { session: _of, ...rest } = options
    return (rest.protocol === 'https:' ? https : http).request(rest)
  },
  async fetch(url: string, init?: RequestInit): Promise<Response> {
    assertReady('net.fetch')
    return fetch(url, init)
  },
}

/** The system's own updater: on Linux nobody uses it but to say what is about to happen. */
export const autoUpdater = new EventEmitter()
