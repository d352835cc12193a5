/**
 * Results of the signature check (API documentation, "Signature verification"). `missing`: a secret is set, but no signature was received.
 * `unsigned`: no secret is set, and no signature was received. `unchecked`: a signature was received, but no secret is set.
 */
export const verdicts = ['valid', 'invalid', 'missing', 'unsigned', 'unchecked'] as const
