/** What a token endpoint gave, in clear text. It goes from the answer to its sealed row, and nowhere else. */
export interface TokenGrant {
  readonly token: string
  /** Null: none was given. */
  readonly refreshToken: string | null
  /** Seconds since the epoch, as the service said; null where it did not. */
  readonly initiated: number | null
  readonly expires: number | null
  /** Seconds. */
  readonly expiresIn: number | null
}
