import { setTimeout as delay } from 'node:timers/promises'
import { correctSteps, header } from '../handler.ts'
import { fault, type FaultyHandler } from './define.ts'

const kibibyte = 1024
/** How long a connection to the database is used, in milliseconds. Longer beside others: a slow computer must not spread 50 requests so that few are processed at once. */
const firstMs = 20
const othersMs = 1000

export const transportFaults: readonly FaultyHandler[] = [
  fault('requires Content-Length', 'T1', {
    async receive(request, response) {
      if (request.method === 'POST' && header(request, 'content-length') === '') {
        response.writeHead(411, { Connection: 'close' }).end()
      } else await correctSteps.receive.call(this, request, response)
    },
  }),
  fault('gives up on bodies that arrive in small pieces, against slow clients', 'T2', {
    async readBody(request) {
      let pieces = 0
      let bytes = 0
      let small = false
      request.on('data', (piece: Buffer) => {
        pieces += 1
        bytes += piece.length
        small ||= pieces > 8 && bytes < 64 * pieces
      })
      const body = await correctSteps.readBody.call(this, request)
      return small ? null : body
    },
  }),
  fault('has the limit of 100 KiB of its body parser', 'T3', {
    async readBody(request) {
      const body = await correctSteps.readBody.call(this, request)
      return body && body.length > 100 * kibibyte ? null : body
    },
  }),
  fault('responds with 500 to bodies above its limit', 'T4', {
    async readBody(request) {
      const body = await correctSteps.readBody.call({ ...this, mostBytes: Infinity }, request)
      if (body && body.length > 20 * kibibyte * kibibyte) throw new Error('entity too large')
      return body
    },
  }),
  fault('processes what it has of a body whose connection was cut', 'T5', {
    async readBody(request) {
      request.once('aborted', () => (this.effects += 1))
      return await correctSteps.readBody.call(this, request)
    },
  }),
  fault('mixes up the responses on one connection', 'T6', {
    async receive(request, response) {
      const socket: object = request.socket
      const requests = 'requests' in socket ? Number(socket.requests) + 1 : 1
      Object.assign(socket, { requests })
      if (requests > 1) response.writeHead(204).end()
      else await correctSteps.receive.call(this, request, response)
    },
  }),
  fault('has 16 connections to its database, and responds with 503 beyond them', 'T7', {
    async isNew(key) {
      const used = Number(this.memory.get('used') ?? 0)
      if (used >= 16) throw new Error('Timeout acquiring a connection')
      this.memory.set('used', used + 1)
      await delay(used === 0 ? firstMs : othersMs)
      this.memory.set('used', Number(this.memory.get('used')) - 1)
      return correctSteps.isNew.call(this, key)
    },
  }),
  {
    ...fault('redirects events of more than a day ago to its archive', 'T8', {
      validate({ createdAt }) {
        if (Date.now() - Date.parse(createdAt) < 24 * 3600 * 1000) return true
        throw new RangeError('Archived')
      },
      failed: (_error, response) => void response.writeHead(302, { Location: '/archive' }).end(),
    }),
    options: { only: ['I8', 'T8'] },
  },
  {
    ...fault('processes events before it responds, for 5 seconds', 'T8?', {
      async isNew(key) {
        await delay(5050)
        return correctSteps.isNew.call(this, key)
      },
    }),
    options: { only: ['T1', 'T8'] },
  },
  {
    ...fault('ends for ever at the fifth event', 'G1', {
      isNew(key) {
        if (correctSteps.isNew.call(this, key) && this.seen.size > 4) this.crash()
        return true
      },
    }),
    restarts: false,
  },
  {
    ...fault('never responds to events of one type', 'G1 T7 T8', {
      async isNew(key) {
        if (key.includes('MENU_UPDATED')) await new Promise(() => {})
        return correctSteps.isNew.call(this, key)
      },
    }),
    options: { requestTimeout: 2000 },
  },
  {
    ...fault('never responds', 'P1', { receive: () => new Promise(() => {}) }),
    options: { requestTimeout: 1000 },
  },
  fault('acts on every method', 'T9', {
    async receive(request, response) {
      request.method = 'POST'
      await correctSteps.receive.call(this, request, response)
    },
  }),
  fault('responds with 500 to compressed bodies', 'T10?', {
    async readBody(request) {
      if (header(request, 'content-encoding') !== '') throw new Error('incorrect header check')
      return await correctSteps.readBody.call(this, request)
    },
  }),
]
