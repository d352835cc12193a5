/** Whether anybody can see the window. */
export interface Visibility {
  visible(): boolean
  onChange(listener: () => void): void
}

export function documentVisibility(document: Document): Visibility {
  return {
    visible: () => document.visibilityState === 'visible',
    onChange: (listener) => document.addEventListener('visibilitychange', listener),
  }
}
