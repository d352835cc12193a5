import { Icons } from '#kit/icons.tsx'
import type { ReactNode } from 'react'
import { Page } from '#kit/Page.tsx'
import { Segments } from '#kit/Switch.tsx'
import { SideButton } from '#kit/SidePage.tsx'
import { rehearseAddress, rehearseOAuthAddress } from '#client/addresses/rehearse.ts'
import { useShell } from '#client/state/app.ts'
import { newestRuns, useRehearsals } from '#client/state/rehearsals.ts'
import { LearnMore } from '#parts/LearnMore.tsx'
import { OAuthForm } from './OAuthForm.tsx'
import { RehearsalsView, type StartProps } from './RehearsalsView.tsx'
import { StartForm } from './StartForm.tsx'

/** Tests of webhook handlers and OAuth clients: the forms that start one, and each run with its results. */
export function RehearsePage() {
  return <RehearsalsView start={StartPage} />
}

const kinds = [
  { value: 'start', label: 'Webhook handler' },
  { value: 'start-oauth', label: 'OAuth client' },
] as const

const leads = {
  start: 'Send designed test cases to your own webhook handler, and see what it gets wrong.',
  'start-oauth':
    'Connect your own app to an authorization server that tests it, and see what it gets wrong.',
} as const

function StartPage(props: StartProps) {
  const { place } = props
  const hash = useShell((state) => state.hash)
  const { runs, listed } = useRehearsals()
  return (
    <StartFrame {...props}>
      {place.kind === 'start' ? (
        <StartForm key={hash} to={place.to} endpointId={place.endpointId} />
      ) : (
        (place.runId === null || listed) && (
          <OAuthForm key={hash} earlier={newestRuns(runs).find(({ id }) => id === place.runId)} />
        )
      )}
    </StartFrame>
  )
}

function StartFrame({
  place: { kind },
  listShown,
  onList,
  children,
}: StartProps & { readonly children: ReactNode }) {
  return (
    <Page
      title={kind === 'start' ? 'Rehearse your handler' : 'Rehearse your OAuth client'}
      lead={leads[kind]}
      help={
        <>
          <LearnMore page="rehearsals" />
          {kind === 'start' && <a href="#/handler/generate?output=handler"> Generate a handler</a>}
        </>
      }
      actions={
        <SideButton icon={Icons.ListChecks} open={listShown} onOpen={onList}>
          Rehearsals
        </SideButton>
      }
    >
      <div className="flex">
        <Segments
          label="What to rehearse"
          value={kind}
          options={kinds}
          onChange={(value) =>
            location.assign(
              value === 'start' ? rehearseAddress(null, null) : rehearseOAuthAddress(null),
            )
          }
        />
      </div>
      {children}
    </Page>
  )
}
