import { create } from 'zustand';
import { type ErrorInfo, toErrorInfo } from '../../shared/errors.ts';

export type Route = 'chat' | 'servers' | 'rules' | 'model';

interface AppState {
  route: Route;
  /** The server whose page is shown on the Servers screen, and the tab on it; undefined: the list of all. */
  server: { name: string; tab: string } | undefined;
  /** Told by the host and not yet put away. */
  problems: ErrorInfo[];
  /** Why the window cannot show anything. */
  broken: ErrorInfo | undefined;
  /** The first snapshot has arrived. */
  ready: boolean;
  sidebar: boolean;
}

/** The window's own state. */
export const useApp = create<AppState>(() => ({
  route: 'chat',
  server: undefined,
  problems: [],
  broken: undefined,
  ready: false,
  sidebar: true,
}));

/** Where the window is narrower, in CSS pixels, an open sidebar lies over the screen. */
export const NARROW = '(max-width: 640px)';

export function go(route: Route): void {
  useApp.setState({
    route,
    server: undefined,
    ...(window.matchMedia(NARROW).matches ? { sidebar: false } : {}),
  });
}

/** Shows everything about one server; `tab` is the value of one of its tabs. */
export function openServer(name: string, tab = 'overview'): void {
  useApp.setState({ route: 'servers', server: { name, tab } });
}

/** Starts work whose failure belongs to no place of its own on the screen: it is shown as a problem. */
export function act(work: Promise<unknown>): void {
  work.catch((error: unknown) => addProblem(toErrorInfo(error)));
}

export function addProblem(problem: ErrorInfo): void {
  useApp.setState(({ problems }) => ({
    problems: [...problems.filter(other => other.message !== problem.message), problem],
  }));
}

export function dismissProblem(problem: ErrorInfo): void {
  useApp.setState(({ problems }) => ({ problems: problems.filter(other => other !== problem) }));
}
