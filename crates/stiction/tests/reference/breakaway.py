# break-away of a LuGre mass under a force ramp, a6 set, first max of friction force
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
m=1;mu=.3;g=10;lc=.003;vs=.1
Fc=mu*m*g;Fs=2*Fc;s0=Fc/lc;s1=2*np.sqrt(m*s0)
def G(v): return Fc+(Fs-Fc)*np.exp(-abs(v)/vs)
def zd(v,z): return v-s0*abs(v)/G(v)*z
def run(r):
    def f(t,y):
        x,v,z=y; d=zd(v,z); return [v,(r*t-s0*z-s1*d)/m,d]
    def dF(t,y):
        x,v,z=y; d=zd(v,z)
        a=(r*t-s0*z-s1*d)/m
        # d/dt(s0 z+s1 zdot)
        gp=-(Fs-Fc)/vs*np.exp(-abs(v)/vs)*np.sign(v)
        h=s0*abs(v)/G(v); hp=s0*np.sign(v)/G(v)-s0*abs(v)*gp/G(v)**2
        return s0*d+s1*(a-hp*a*z-h*d)
    dF.direction=-1; dF.terminal=True
    s=solve_ivp(f,[0,8/r],[0,0,0],method='Radau',rtol=1e-11,atol=1e-14,events=dF)
    t=s.t_events[0][-1]; x,v,z=s.y_events[0][-1]
    return t, s0*z+s1*zd(v,z), x
for r in [.1,1,4,10,50]: print(r,*["%.12g"%q for q in run(r)])
