import type { TunnelProvider } from './provider.ts'

const modules = import.meta.glob<TunnelProvider>('./providers/*.ts', {
  eager: true,
  import: 'default',
})

/** localtunnel first, then the others by name. */
export const tunnelProviders: readonly TunnelProvider[] = Object.values(modules).toSorted(
  (a, b) =>
    Number(b.id === 'localtunnel') - Number(a.id === 'localtunnel') || (a.id < b.id ? -1 : 1),
)
