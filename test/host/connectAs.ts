import * as vscode from 'vscode';

/** What `controlPlane.connect` takes. */
export interface ConnectArgument {
  /** Default: the host of the base URL. */
  readonly name?: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * Adds a connection to the user's settings, as a person does, and connects with the command, which then
 * asks nothing. Returns whether it is connected.
 */
export async function connectAs(argument: ConnectArgument): Promise<boolean> {
  const { baseUrl } = argument;
  const name = argument.name ?? new URL(baseUrl).host;
  const configuration = vscode.workspace.getConfiguration('controlPlane');
  const known =
    configuration.inspect<{ name: string; baseUrl: string }[]>('connections')?.globalValue ?? [];
  if (!known.some((one) => one.name === name && one.baseUrl === baseUrl)) {
    const others = known.filter((one) => one.name !== name);
    const all = [...others, { name, baseUrl }];
    await configuration.update('connections', all, vscode.ConfigurationTarget.Global);
  }
  return vscode.commands.executeCommand('controlPlane.connect', { ...argument, name });
}
