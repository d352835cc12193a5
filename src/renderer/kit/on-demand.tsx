import { type ComponentType, lazy, useState } from 'react'

/**
 * A component that is loaded on demand. Once it is loaded, it is rendered at once: React shows the fallback of `lazy` for at least 300 ms, even if the
 * module is there.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> {
  let loaded: ComponentType<P> | null = null
  const start = async (): Promise<{ default: ComponentType<P> }> => {
    loaded = await load()
    return { default: loaded }
  }
  const Lazy: ComponentType<P> = lazy(start)
  loads.push(start)
  return function OnDemand(props: P) {
    const [Loaded] = useState(() => loaded ?? Lazy)
    return <Loaded {...props} />
  }
}

const loads: (() => Promise<unknown>)[] = []

/** Loads all of them, one after the other, for when the window has nothing else to load. */
export async function loadAhead(): Promise<void> {
  for (const load of loads) await load()
}
