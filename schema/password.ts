import { hash } from '@node-rs/argon2'
import { text } from './validation.ts'

/** How many characters a password has: NIST SP 800-63B's least, and a most that keeps hashing affordable. */
export const passwordLength = { least: 8, most: 1024 } as const

/** A password as it is accepted. */
export const password = text.min(passwordLength.least).max(passwordLength.most)

/** The hash that is stored: argon2id with OWASP's least parameters (19 MiB, two passes), in PHC string form. */
export const hashPassword = (plain: string) => hash(plain, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })

/** What hashing costs in a document from outside, since it is slow on purpose: no more than two fit. */
export const hashingComplexity = { field: 20_000 }
