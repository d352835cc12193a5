// The client brings no types. What is declared here is what is used of it, some of which it does not document.
declare module 'localtunnel' {
  import type { EventEmitter } from 'node:events'

  interface Tunnel extends EventEmitter {
    /** Undefined until its server has answered. */
    readonly tunnelCluster: { open(): void } | undefined
    close(): void
  }
  interface Options {
    readonly port: number
    readonly host: string
    readonly subdomain?: string
  }
  export default function localtunnel(options: Options, done: (error: Error | null) => void): Tunnel
}

// The very file that the client requires: what is set there holds for its requests.
declare module 'axios/dist/node/axios.cjs' {
  export { default } from 'axios'
}
