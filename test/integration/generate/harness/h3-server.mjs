// Serves a route of Nitro over node:http.
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [file, port] = process.argv.slice(2)
const { default: handler } = await import(pathToFileURL(file).href)
const { createApp, createRouter, toNodeListener } = createRequire(file)('h3')

const app = createApp().use(createRouter().post('/webhooks', handler))
createServer(toNodeListener(app)).listen(Number(port), '127.0.0.1')
