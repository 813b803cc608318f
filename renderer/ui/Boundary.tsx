import { Component, type ReactNode } from 'react';

interface Props {
  /** Shown instead of children that cannot be rendered. */
  fallback: ReactNode;
  children: ReactNode;
}

/** Keeps what fails to render, such as text nested thousands of levels deep, from taking the window with it. */
export class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
