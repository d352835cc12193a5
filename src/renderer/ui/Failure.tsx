import type { ReactNode } from 'react'
import { messageOf } from '../platform/call-error.ts'
import type { Loaded } from '../platform/use-client.ts'
import { Button } from './Button.tsx'
import { Empty } from './Empty.tsx'
import { Icons } from './icons.tsx'
import { Note } from './Note.tsx'

/** What could not be loaded, with a button that tries again. */
export function LoadFailure(props: { readonly onRetry: () => void; readonly children: ReactNode }) {
  return (
    <Note tone="invalid" alert action={<Button onClick={props.onRetry}>Try again</Button>}>
      {props.children}
    </Note>
  )
}

interface EmptyFailureProps {
  readonly title: string
  readonly onRetry: () => void
  readonly children: ReactNode
}

/** In place of a page or pane that could not be loaded, with a button that tries again. */
export function EmptyFailure({ title, onRetry, children }: EmptyFailureProps) {
  return (
    <Empty
      icon={Icons.CircleAlert}
      title={title}
      actions={<Button onClick={onRetry}>Try again</Button>}
    >
      {children}
    </Empty>
  )
}

interface WhenLoadedProps<T> {
  readonly query: { readonly state: Loaded<T>; readonly reload: () => void }
  /** Shown before the first result. */
  readonly loading?: ReactNode
  readonly children: (value: T) => ReactNode
}

/** Renders the result of `useQuery`: `loading` at first, then `children` of the value, or why it could not be loaded. */
export function WhenLoaded<T>({
  query,
  loading = <div className="detail-coming" role="status" aria-label="Loading" />,
  children,
}: WhenLoadedProps<T>): ReactNode {
  const { state, reload } = query
  switch (state.phase) {
    case 'loading':
      return loading
    case 'failed':
      return <LoadFailure onRetry={reload}>{state.message}</LoadFailure>
    case 'ready':
      return children(state.value)
  }
}

/** The error of an action, or its sentence, in a note. Renders nothing without an error. */
export function ErrorNote({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null
  return (
    <Note tone="invalid" alert>
      {messageOf(error)}
    </Note>
  )
}

interface TextProps {
  readonly error: unknown
  readonly as?: 'p' | 'span'
  readonly id?: string
}

/** The error of an action, or its sentence, as a line below a field. Renders nothing without an error. */
export function ErrorText({ error, as: Element = 'p', id }: TextProps) {
  if (error === null || error === undefined) return null
  return (
    <Element className="field-error" id={id} role="alert">
      {messageOf(error)}
    </Element>
  )
}
