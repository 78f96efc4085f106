def main():
    failed = False
    size = max(abs(joint) for _, _, joint in POINTS)
    for joint in JOINTS:
        force = friction(joint)
        found = [(v, law, fitted, force(v)) for v, law, fitted in POINTS]
        rms = (sum((f - law) ** 2 for _, law, _, f in found) / len(found)) ** 0.5
        worst = max(found, key=lambda p: abs(p[3] - p[1]))
        off = max(abs(f - fitted) for _, _, fitted, f in found)
        print(f"{joint}: {rms:.4g} rms from the law, at most {abs(worst[3] - worst[1]):.4g} at {worst[0]:.4g}; {off:.2g} from the fit")
        failed |= not off <= ACCURACY * size
    {rest}
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
