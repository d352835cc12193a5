import { Icons, type IconOrElement, iconElement } from './icons.tsx'
import type { ReactNode } from 'react'
import { messageOf, type Loaded } from './use-action.ts'
import { Button } from './Button.tsx'

interface NoteProps {
  tone: 'info' | 'invalid' | 'warning' | 'unsigned'
  children: ReactNode
  action?: ReactNode
  /** Announced immediately. */
  alert?: boolean
}

/** A short message, with an optional action. */
export function Note({ tone, children, action, alert }: NoteProps) {
  return (
    <div className="note" data-tone={tone} role={alert ? 'alert' : undefined}>
      {tone === 'info' || tone === 'unsigned' ? <Icons.Info /> : <Icons.CircleAlert />}
      <div className="min-h-0 min-w-0 flex-1 wrap-anywhere">{children}</div>
      {action}
    </div>
  )
}

interface EmptyProps {
  icon: IconOrElement
  title: string
  children?: ReactNode
  actions?: ReactNode
}

/** The empty state of a page or pane: what it means, and what to do next. */
export function Empty({ icon, title, children, actions }: EmptyProps) {
  return (
    <div className="empty grid h-full content-center justify-items-center gap-3 p-9 text-center below-480:p-7 [&_p]:max-w-[44ch] [&_p]:text-balance">
      <div className="empty-icon mb-4 grid h-(--bar) w-(--bar) place-items-center rounded-full bg-sunken text-dim">
        {iconElement(icon)}
      </div>
      <h2 className="text-l">{title}</h2>
      {children !== undefined && <p className="text-mid">{children}</p>}
      {actions !== undefined && (
        <div className="mt-5 flex flex-wrap justify-center gap-4">{actions}</div>
      )}
    </div>
  )
}

/** What could not be loaded, with a button that tries again. */
export function LoadFailure(props: { onRetry: () => void; children: ReactNode }) {
  return (
    <Note tone="invalid" alert action={<Button onClick={props.onRetry}>Try again</Button>}>
      {props.children}
    </Note>
  )
}

interface EmptyFailureProps {
  title: string
  onRetry: () => void
  children: ReactNode
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

interface LoadingProps {
  label?: string
  card?: boolean
}

/** In place of what is being loaded. */
export function Loading({ label = 'Loading', card = false }: LoadingProps) {
  return (
    <div
      className={card ? 'plain-card h-(--measure-aside) coming' : 'flex-1'}
      role="status"
      aria-label={label}
    />
  )
}

interface WhenLoadedProps<T> {
  query: { readonly state: Loaded<T>; readonly reload: () => void }
  loading?: ReactNode
  children: (value: T) => ReactNode
}

/** Renders the result of `useQuery`: `loading` at first, then `children` of the value, or why it could not be loaded. */
export function WhenLoaded<T>({
  query,
  loading = <Loading />,
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
export function ErrorNote({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null
  return (
    <Note tone="invalid" alert>
      {messageOf(error)}
    </Note>
  )
}

interface TextProps {
  error: unknown
  as?: 'p' | 'span'
  id?: string
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
