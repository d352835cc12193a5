import { useRef } from 'react'
import type { TunnelView } from '#contract/tunnel.ts'
import { Page } from '../../components/Page.tsx'
import { useQuery } from '../../platform/use-client.ts'
import { useKeys } from '../shell/bound.ts'
import { Addresses } from './Addresses.tsx'
import { HistoryCard } from './history/HistoryCard.tsx'
import { SetupCard } from './setup/SetupCard.tsx'
import { SizesCard } from './sizes/SizesCard.tsx'
import { StateCard } from './StateCard.tsx'
import { useTunnel } from './store.ts'
import { useTunnelCommands } from './use-tunnel-commands.ts'
import { Warnings } from './Warnings.tsx'
import './TunnelPage.css'

/** Whether the listener can be reached from outside, since when and why; how it was; and by what it is made so. */
export function TunnelPage() {
  const view = useTunnel((state) => state.view)
  return view === null ? null : <Known view={view} />
}

function Known({ view }: { readonly view: TunnelView }) {
  const providers = useQuery('tunnel.providers', {})
  const label = (id: string): string =>
    (providers.state.phase === 'ready' &&
      providers.state.value.find((provider) => provider.id === id)?.label) ||
    id
  const heading = useRef<HTMLHeadingElement>(null)
  useKeys(useTunnelCommands())
  return (
    <Page
      title="Tunnel"
      lead="Makes the listener reachable from outside, and asks itself through the public address whether it really is."
    >
      <StateCard view={view} heading={heading} label={label} />
      <Warnings view={view} heir={heading} />
      {view.url !== null && <Addresses url={view.url} view={view} />}
      <HistoryCard view={view} />
      <SetupCard view={view} providers={providers.state} reload={providers.reload} />
      <SizesCard view={view} />
    </Page>
  )
}
