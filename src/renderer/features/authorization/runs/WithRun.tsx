import { FileQuestionMark } from '../../../ui/icons.tsx'
import type { ReactNode } from 'react'
import type { Run } from '#contract/authorization.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { useQuery } from '../../../platform/use-client.ts'
import { runAddress } from '../../../routes/authorization.ts'
import { useAuthorization } from '../../../state/authorization.ts'

interface Props {
  readonly id: number
  readonly children: (run: Run) => ReactNode
}

/** The complete record of a run: from the store if a push brought it, otherwise loaded. */
export function WithRun({ id, children }: Props) {
  const known = useAuthorization((state) => state.runs.find((run) => run.id === id))
  return known ? children(known) : <LoadedRun id={id}>{children}</LoadedRun>
}

function LoadedRun({ id, children }: Props) {
  const { state } = useQuery('authorization.run', { id })
  switch (state.phase) {
    case 'loading':
      return <div className="auth-coming" role="status" aria-label="Loading the record" />
    case 'failed':
      return (
        <Empty
          icon={<FileQuestionMark aria-hidden />}
          title="Run not found"
          actions={
            <a className="button" href={runAddress(null)}>
              Show the latest run
            </a>
          }
        >
          {state.message}
        </Empty>
      )
    case 'ready':
      return children(state.value)
  }
}
