import { z } from 'zod'

interface Metadata {
  /** Name of the environment variable. */
  variable: string
  /** Description in the README. */
  description: string
  /** Error messages do not repeat the value of a secret. */
  isSecret?: boolean
}

/** What the README and error messages say about each setting. */
export const metadata = z.registry<Metadata>()
