// The client ships no types. These are the parts that are used, some of which are undocumented.
declare module 'localtunnel' {
  import type { EventEmitter } from 'node:events'

  interface Tunnel extends EventEmitter {
    /** Undefined until the server has responded. */
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

// The same file that the client requires, so that settings apply to its requests.
declare module 'axios/dist/node/axios.cjs' {
  export { default } from 'axios'
}
