/** API documentation, "Signature verification". `missing`: a secret is set, but there is no signature. `unsigned`: neither. `unchecked`: no secret is set. */
export const verdicts = ['valid', 'invalid', 'missing', 'unsigned', 'unchecked'] as const
