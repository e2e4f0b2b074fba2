/**
 * Ends the process with one line if Node is too old for the code of the service, which it would refuse with a SyntaxError. The calling
 * file, and what it imports before, must therefore not need a new Node; it imports everything else dynamically.
 */
export function refuseOldNode(): void {
  const required = 24
  if (Number.parseInt(process.versions.node, 10) >= required) return
  console.error(
    `Node ${required} or newer is required, and ${process.execPath} is Node ${process.versions.node} (docs/operations/install.md#node)`,
  )
  process.exit(1)
}
