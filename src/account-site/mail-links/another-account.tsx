import { signInAt } from '../../web/page-paths.ts'

/** Shown if the opened link belongs to another account than the signed-in one. The link stays saved. */
export const AnotherAccount = ({ path }: { path: string }) => (
  <p>
    This link belongs to another account. <a href={signInAt(path)}>Sign in to that account</a>
  </p>
)
