import { create } from 'zustand';
import type { ErrorInfo } from '../../shared/errors.ts';

export type Route = 'chat' | 'servers' | 'model';

interface AppState {
  route: Route;
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
  problems: [],
  broken: undefined,
  ready: false,
  sidebar: true,
}));

export function go(route: Route): void {
  useApp.setState({ route });
}

export function addProblem(problem: ErrorInfo): void {
  useApp.setState(({ problems }) => ({
    problems: [...problems.filter(other => other.message !== problem.message), problem],
  }));
}

export function dismissProblem(problem: ErrorInfo): void {
  useApp.setState(({ problems }) => ({ problems: problems.filter(other => other !== problem) }));
}
