import { Icons } from './icons.tsx'
import { Component, type ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Empty, EmptyFailure } from './Note.tsx'
import { messageOf } from '#shared/text/errors.ts'

interface Props {
  children: ReactNode
}

interface State {
  readonly message: string | null
}

/** Error messages of browsers and the bundler when a file of a page cannot be loaded. */
const notLoaded = /preload CSS|dynamically imported module|Importing a module script failed/

/** Browsers do not retry a failed import, so the page must be reloaded. */
function NotLoaded() {
  return (
    <Empty
      icon={Icons.CircleAlert}
      title="This page could not be loaded"
      actions={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      Reload once Tabscope is connected.
    </Empty>
  )
}

/** Shows an error in place of a page that fails to render. The rest of the window keeps working. */
export class Boundary extends Component<Props, State> {
  override state: State = { message: null }

  static getDerivedStateFromError(error: unknown): State {
    return { message: messageOf(error) }
  }

  override render(): ReactNode {
    if (this.state.message === null) return this.props.children
    if (notLoaded.test(this.state.message)) return <NotLoaded />
    return (
      <EmptyFailure
        title="This page could not be displayed"
        onRetry={() => this.setState({ message: null })}
      >
        {this.state.message} No delivery is lost.
      </EmptyFailure>
    )
  }
}
