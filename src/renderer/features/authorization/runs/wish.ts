/** What the user wrote for the next run; empty: as usual. */
export interface WrittenWish {
  readonly label: string
  readonly state: string
  readonly redirectUrl: string
  readonly replaces: number | null
  /** Nothing is opened: the address is shown. */
  readonly byHand: boolean
}

export const noWish: WrittenWish = {
  label: '',
  state: '',
  redirectUrl: '',
  replaces: null,
  byHand: false,
}
